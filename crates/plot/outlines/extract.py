"""Takes the outlines of the letters on pieces out of the files of a font.

    pip install fonttools brotli
    npm pack @fontsource/yuji-syuku && tar xzf fontsource-yuji-syuku-*.tgz
    python extract.py package/files/*.woff2 > yuji-syuku.txt

A line is a character and the path of its outline, in units of which 400 are an em, around the middle of what is drawn, with y
downwards. The commands are relative, which is half as long.
"""

import sys

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

CHARACTERS = "歩香桂銀金角飛玉王と杏圭全馬龍一二三四五六七八九"
EM = 400


class RelativePath(BasePen):
    """Writes whole numbers; each is rounded where it stands, so that errors do not add up."""

    def __init__(self, glyphs, scale, middle):
        super().__init__(glyphs)
        self.scale, self.middle, self.at, self.text = scale, middle, (0, 0), ""

    def place(self, point):
        return tuple(
            round((value - middle) * self.scale * sign)
            for value, middle, sign in zip(point, self.middle, (1, -1))
        )

    def write(self, command, points):
        numbers = []
        for point in points:
            numbers += [point[0] - self.at[0], point[1] - self.at[1]]
        joined = "".join(("" if n < 0 or i == 0 else " ") + str(n) for i, n in enumerate(numbers))
        self.text += command + joined
        self.at = points[-1]

    def _moveTo(self, point):
        self.write("m", [self.place(point)])
        self.start = self.at

    def _lineTo(self, point):
        if self.place(point) != self.at:
            self.write("l", [self.place(point)])

    def _curveToOne(self, a, b, c):
        self.write("c", [self.place(a), self.place(b), self.place(c)])

    def _qCurveToOne(self, a, b):
        self.write("q", [self.place(a), self.place(b)])

    def _closePath(self):
        self.text += "z"
        self.at = self.start


def outline(font, glyph):
    glyphs = font.getGlyphSet()
    bounds = BoundsPen(glyphs)
    glyphs[glyph].draw(bounds)
    left, bottom, right, top = bounds.bounds
    pen = RelativePath(glyphs, EM / font["head"].unitsPerEm, ((left + right) / 2, (bottom + top) / 2))
    glyphs[glyph].draw(pen)
    return pen.text


found = {}
for name in sys.argv[1:]:
    font = TTFont(name)
    letters = font.getBestCmap()
    for character in CHARACTERS:
        if character not in found and ord(character) in letters:
            found[character] = outline(font, letters[ord(character)])
for character in CHARACTERS:
    print(character, found[character])
