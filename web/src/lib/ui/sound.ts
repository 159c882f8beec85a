let context: AudioContext | undefined

interface Tone {
  /** Seconds from now, and the duration. */
  at: number
  lasts: number
  pitch: number
  loud: number
  kind: OscillatorType
}

/** Synthesised tones, so there is nothing to load. */
function play(...tones: Tone[]) {
  try {
    context ??= new AudioContext()
    for (const { at, lasts, pitch, loud, kind } of tones) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      const start = context.currentTime + at
      tone.type = kind
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0, start)
      volume.gain.linearRampToValueAtTime(loud, start + Math.min(0.02, lasts / 10))
      volume.gain.exponentialRampToValueAtTime(0.001, start + lasts)
      tone.connect(volume).connect(context.destination)
      tone.start(start)
      tone.stop(start + lasts + 0.05)
    }
  } catch {
    // A browser without sound is silent.
  }
}

/** Two soft tones: it is your turn. */
export const chime = () =>
  play(...[587.3, 880].map((pitch, i) => ({ at: i * 0.13, lasts: 0.5, pitch, loud: 0.14, kind: 'sine' as const })))

/** A bid is made. */
export const tick = () => play({ at: 0, lasts: 0.07, pitch: 1046.5, loud: 0.05, kind: 'triangle' })

/** The hammer falls, with the picture. */
export const knock = () =>
  play(
    { at: 0.62, lasts: 0.12, pitch: 196, loud: 0.22, kind: 'triangle' },
    { at: 0.62, lasts: 0.05, pitch: 92, loud: 0.25, kind: 'square' },
  )
