// Sounds, made on the spot: the click of a piece, and the last seconds of a clock. Browsers allow them after a tap.

let context = null;

/** Turns sound on or off; to be called from a click. */
export function turnSound(on) {
  if (on && !context) context = new AudioContext();
  if (context) on ? context.resume() : context.suspend();
}

const isOn = () => context?.state === "running";

/** A piece set down. */
export function click() {
  if (!isOn()) return;
  const length = 0.06;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (samples.length * 0.12));
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 1400;
  source.buffer = buffer;
  source.connect(filter).connect(context.destination);
  source.start();
}

/** A short beep. */
export function beep(frequency = 880, seconds = 0.08) {
  if (!isOn()) return;
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = frequency;
  gain.gain.setValueAtTime(0.12, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds);
  tone.connect(gain).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + seconds);
}
