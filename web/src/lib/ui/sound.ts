let context: AudioContext | undefined

/** Two soft tones: it is your turn. Made here, so there is nothing to load. */
export function chime() {
  try {
    context ??= new AudioContext()
    const start = context.currentTime
    for (const [i, pitch] of [587.3, 880].entries()) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      const at = start + i * 0.13
      tone.type = 'sine'
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0, at)
      volume.gain.linearRampToValueAtTime(0.14, at + 0.02)
      volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5)
      tone.connect(volume).connect(context.destination)
      tone.start(at)
      tone.stop(at + 0.55)
    }
  } catch {
    // A browser without sound is silent.
  }
}
