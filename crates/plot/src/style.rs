//! The one palette and the one type face: every picture and page takes its colours from here, light and dark.
//!
//! Rules name colours as `$name`. The sheet holds them with the light colours, then once more with the dark ones for
//! pages that prefer those. Plain colours instead of CSS variables: many viewers of SVG know no variables.

use std::sync::LazyLock;

/// A colour by its name, on light and on dark ground.
struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

const PALETTE: &[Colour] = &[
    colour("page", "#f8f9fa", "#0f1114"),
    colour("surface", "#ffffff", "#16191d"),
    colour("panel", "#eef0f2", "#1b1f24"),
    colour("border", "#d0d4da", "#3a4048"),
    colour("grid", "#e3e6ea", "#2a2f36"),
    colour("axis", "#868e96", "#7d8590"),
    colour("ink", "#2b3035", "#e3e6ea"),
    colour("faint", "#5f6770", "#a4acb6"),
    // Series, in the order in which they are used.
    colour("blue", "#1c6fd0", "#58a6ff"),
    colour("orange", "#d9480f", "#ff922b"),
    colour("green", "#2b8a3e", "#51cf66"),
    colour("purple", "#8e2fb0", "#d17ff0"),
    colour("yellow", "#a07c00", "#ffd43b"),
    colour("teal", "#0b7285", "#3bc9db"),
    colour("pink", "#c2255c", "#f783ac"),
    colour("grey", "#495057", "#adb5bd"),
    colour("red", "#c8102e", "#ff5c6c"),
    // Boxes of Black's and of White's moves.
    colour("blue-tint", "#e8f1fb", "#15293f"),
    colour("orange-tint", "#fdf0e3", "#3a2410"),
    // The board and what stands on it.
    colour("wood", "#e8c98d", "#9c7a48"),
    colour("wood-line", "#6b5633", "#33260f"),
    colour("wood-pale", "#f3e7cd", "#26221b"),
    colour("piece", "#fdf3d6", "#eddcb3"),
    colour("piece-edge", "#7d6238", "#4d3a1c"),
    colour("kanji", "#2b2419", "#1c160c"),
    colour("promoted", "#b3261e", "#9c150f"),
    colour("highlight", "#ffe45c", "#d8b13c"),
    colour("highlight-pale", "#f4d97a", "#b8944a"),
];

/// Letters of pictures and pages.
const FACE: &str = "system-ui,'Noto Sans','Noto Sans CJK JP','Noto Sans JP',sans-serif";

/// The size of letters in pictures unless a rule says otherwise.
pub(crate) const LETTER_SIZE: f64 = 13.0;
/// The size of titles.
pub(crate) const TITLE_SIZE: f64 = 17.0;

/// How many colours there are for series; their classes are `c0`, `c1` and so on.
pub(crate) const SERIES_COLOURS: usize = 8;

/// Rules of all pictures, one a line. Later ones win.
const PICTURE_RULES: &str = "\
.plot text{fill:$ink;font-family:FACE;font-size:13px}
.plot .ground{fill:$surface;stroke:$border}
.plot .title{font-size:17px;font-weight:600}
.plot .faint{fill:$faint}
.plot .small{fill:$faint;font-size:11px}
.plot .strong{font-weight:600}
.plot .mid{text-anchor:middle}
.plot .end{text-anchor:end}
.plot .grid{stroke:$grid}
.plot .zero{stroke:$axis;stroke-width:1.2}
.plot .even{stroke:$axis;stroke-width:1.2;stroke-dasharray:5 4}
.plot .frame{fill:none;stroke:$axis}
.plot .c0{stroke:$blue;fill:$blue}
.plot .c1{stroke:$orange;fill:$orange}
.plot .c2{stroke:$green;fill:$green}
.plot .c3{stroke:$purple;fill:$purple}
.plot .c4{stroke:$yellow;fill:$yellow}
.plot .c5{stroke:$teal;fill:$teal}
.plot .c6{stroke:$pink;fill:$pink}
.plot .c7{stroke:$grey;fill:$grey}
.plot .line{fill:none;stroke-width:2;stroke-linejoin:round}
.plot .guide{fill:none;stroke:$axis;stroke-width:1.4;stroke-dasharray:6 4}
.plot .error{fill:none;stroke-width:1.2;opacity:.65}
.plot .bar{fill-opacity:.75}
.plot .whisker{fill:none;stroke:$ink;stroke-width:1.2}
.plot .area{fill:$blue;fill-opacity:.14}
.plot .off{opacity:.12}
.plot [data-series]{cursor:pointer}
.plot .dot{stroke:$surface;stroke-width:1.2}
.plot .side{fill:$faint}
.plot .inaccuracy{fill:$yellow}
.plot .dubious{fill:$orange}
.plot .mistake{fill:$red}
.plot .blunder{fill:$purple}
.plot .edge{fill:none;stroke:$axis}
.plot .box{stroke-width:1.2}
.plot .black{fill:$blue-tint;stroke:$blue}
.plot .white{fill:$orange-tint;stroke:$orange}
.plot .closed{stroke-dasharray:4 3}
.plot .wood{fill:$wood;stroke:$wood-line;stroke-width:2.5}
.plot .lines{fill:none;stroke:$wood-line;stroke-width:1}
.plot .star{fill:$wood-line}
.plot .stand{fill:$wood-pale;stroke:$border;stroke-width:1.5}
.plot .turn{stroke:$orange;stroke-width:3}
.plot .mark{fill:$highlight}
.plot .left{fill:$highlight-pale}
.plot .piece{fill:$piece;stroke:$piece-edge;stroke-width:1.2;stroke-linejoin:round}
.plot .sente{fill:$kanji;stroke:$faint;stroke-width:1.6}
.plot .gote{fill:$piece;stroke:$piece-edge;stroke-width:1.6}
.plot .kanji{fill:$kanji;stroke:$kanji;stroke-width:9;stroke-linejoin:round}
.plot .goes{fill:$kanji}
.plot .promoted{fill:$promoted;stroke:$promoted}
.plot .letter{fill:none;stroke:$kanji;stroke-width:3.6;stroke-linecap:round;stroke-linejoin:round}
.plot .letter.promoted{fill:none;stroke:$promoted}
.plot .plus{stroke-width:2}
.plot .count{font-size:16px;font-weight:700}
.plot .coordinate{fill:$faint;font-size:16px;text-anchor:middle}
.plot .rank{fill:$faint;stroke:$faint;stroke-width:10}
.plot .to-move{fill:$orange}
";

/// Rules of pages around the pictures, one a line.
const PAGE_RULES: &str = "\
:root{color-scheme:light dark}
body{font:15px/1.5 FACE;max-width:76rem;margin:2rem auto;padding:0 1rem;color:$ink;background:$page}
h1{font-size:1.5rem}
h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;margin:.7rem 0;font-size:.93em}
.wide{overflow-x:auto}
th,td{padding:.25rem .45rem;border-bottom:1px solid $border;text-align:right;vertical-align:top;white-space:nowrap}
th:first-child,td:first-child{text-align:left;white-space:normal}
th{font-weight:600}
code,pre{font-family:ui-monospace,'Noto Sans Mono',monospace;font-size:.85em}
pre{overflow-x:auto;background:$panel;padding:.6rem;border-radius:.4rem}
svg.plot{max-width:100%;height:auto;margin:.6rem 0}
svg.plot.chart{width:100%;max-width:62rem}
";

/// What a picture in a file of its own needs.
pub(crate) static PICTURE_SHEET: LazyLock<String> = LazyLock::new(|| sheet(PICTURE_RULES));

/// What a page with pictures needs.
pub(crate) static PAGE_SHEET: LazyLock<String> =
    LazyLock::new(|| sheet(&[PAGE_RULES, PICTURE_RULES].concat()));

/// What a site needs whose readers may choose between light and dark: every colour as a variable, and the rules of pictures
/// by these variables. The root's `data-theme` decides; without it, what the reader's system prefers.
#[must_use]
pub fn site_sheet() -> String {
    let variables = |shade: fn(&Colour) -> &'static str| {
        PALETTE.iter().map(|colour| format!("--{}:{};", colour.name, shade(colour))).collect::<String>()
    };
    let (light, dark) = (variables(|colour| colour.light), variables(|colour| colour.dark));
    let rules: String = PICTURE_RULES.replace("FACE", FACE).lines().map(with_variables).collect();
    format!(
        ":root{{color-scheme:light dark;--face:{FACE};{light}}}\
        @media (prefers-color-scheme:dark){{:root{{{dark}}}}}\
        :root[data-theme=light]{{color-scheme:light;{light}}}\
        :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n{rules}"
    )
}

fn with_variables(rule: &str) -> String {
    let named = PALETTE.iter().map(|colour| colour.name);
    // The longest first: `wood` begins `wood-line` as well.
    let mut names: Vec<&str> = named.collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.iter().fold(rule.to_owned() + "\n", |rule, name| {
        rule.replace(&format!("${name}"), &format!("var(--{name})"))
    })
}

/// All rules in light colours, then those that name colours in dark ones.
fn sheet(rules: &str) -> String {
    let rules = rules.replace("FACE", FACE);
    let light: String = rules.lines().map(|rule| painted(rule, |colour| colour.light)).collect();
    let dark: String = rules.lines().filter_map(colours_of).map(|rule| painted(&rule, |c| c.dark)).collect();
    format!("{light}@media (prefers-color-scheme:dark){{{dark}}}")
}

/// A rule with only what it says about colours; `None` if it says nothing. That there is no colour counts too: it must
/// still come after the rules it overrides.
fn colours_of(rule: &str) -> Option<String> {
    let (selector, declarations) = rule.strip_suffix('}')?.split_once('{')?;
    let paints = |declaration: &&str| declaration.contains('$') || declaration.ends_with(":none");
    let kept: Vec<&str> = declarations.split(';').filter(paints).collect();
    (!kept.is_empty()).then(|| format!("{selector}{{{}}}", kept.join(";")))
}

fn painted(rule: &str, shade: impl Fn(&Colour) -> &'static str) -> String {
    let mut parts = rule.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        text += PALETTE.iter().find(|colour| colour.name == name).map_or("inherit", &shade);
        text += rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shades(name: &str) -> [&'static str; 2] {
        let colour = PALETTE.iter().find(|colour| colour.name == name).expect("in the palette");
        [colour.light, colour.dark]
    }

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// WCAG asks for 4.5 to 1 where letters are read and for 3 to 1 where shapes are distinguished.
    #[test]
    fn letters_and_lines_stand_out_on_light_and_on_dark() {
        let letters = [("ink", "surface"), ("ink", "page"), ("ink", "panel"), ("ink", "blue-tint")];
        let letters = letters.into_iter().chain([
            ("ink", "orange-tint"),
            ("ink", "wood-pale"),
            ("faint", "surface"),
            ("faint", "blue-tint"),
            ("faint", "orange-tint"),
            ("kanji", "piece"),
            ("promoted", "piece"),
        ]);
        let series = ["blue", "orange", "green", "purple", "yellow", "teal", "pink", "grey", "red", "axis"];
        let lines = series.map(|name| (name, "surface"));
        let least = letters.map(|pair| (pair, 4.5)).chain(lines.map(|pair| (pair, 3.0)));
        for ((front, back), least) in least {
            for (front_shade, back_shade) in shades(front).into_iter().zip(shades(back)) {
                let found = contrast(front_shade, back_shade);
                assert!(found >= least, "{front} on {back}: {front_shade} on {back_shade} has {found:.2}");
            }
        }
    }

    #[test]
    fn a_line_is_not_filled_in_either_scheme() {
        for scheme in PICTURE_SHEET.split("@media") {
            let [colour, line] = [".plot .c0{", ".plot .line{fill:none"].map(|rule| scheme.find(rule));
            assert!(colour.is_some() && line > colour, "the later rule wins");
        }
    }

    #[test]
    fn a_site_names_every_colour_for_both_themes() {
        let sheet = site_sheet();
        assert!(!sheet.contains('$') && sheet.contains("fill:var(--wood-pale)"), "{sheet}");
        for colour in PALETTE {
            for shade in [colour.light, colour.dark] {
                assert!(
                    sheet.matches(&format!("--{}:{shade};", colour.name)).count() >= 2,
                    "{}",
                    colour.name
                );
            }
        }
    }

    #[test]
    fn every_colour_is_known_and_used_in_both_schemes() {
        let (light, dark) = PAGE_SHEET.split_once("@media (prefers-color-scheme:dark){").expect("both");
        assert!(!PAGE_SHEET.contains('$') && !PAGE_SHEET.contains("inherit"), "an unknown name");
        for colour in PALETTE {
            assert!(light.contains(colour.light), "{}", colour.name);
            assert!(dark.contains(colour.dark), "{}", colour.name);
        }
        assert!(!dark.contains("font"), "only colours differ");
        for number in 0..SERIES_COLOURS {
            assert_eq!(PAGE_SHEET.matches(&format!(".c{number}{{")).count(), 2);
        }
    }
}
