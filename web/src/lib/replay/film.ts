/** A game as a short film: how everybody's network grew, round by round. Made in the browser, as WebM. */
import type { Lines } from '../family/family'
import { shape } from '../ui/shapes'

export interface Script {
  title: string
  names: string[]
  rounds: number[]
  /** One line for each player, with a value for each round. */
  chart: Lines
  roundWords: (round: number) => string
}

const W = 960
const H = 540
const RATE = 25 // pictures a second
const STEP = 700 // milliseconds a round
const REST = 1_500 // milliseconds at the end
const FONT = "'Inter', system-ui, sans-serif"

const TYPE = 'video/webm'
export const canFilm = () => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(TYPE)

/** The value of a line between two rounds. */
const between = (line: (number | null)[], at: number) => {
  const [low, high] = [line[Math.floor(at)] ?? 0, line[Math.min(line.length - 1, Math.ceil(at))] ?? 0]
  return low + (high - low) * (at - Math.floor(at))
}

function drawFrame(pen: CanvasRenderingContext2D, { title, names, rounds, chart, roundWords }: Script, at: number) {
  const style = getComputedStyle(document.documentElement)
  const ink = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const write = (text: string, x: number, y: number, size: number, fill: string, room: number) => {
    pen.font = `650 ${size}px ${FONT}`
    pen.fillStyle = ink(fill)
    pen.fillText(text, x, y, room)
  }
  pen.fillStyle = ink('page')
  pen.fillRect(0, 0, W, H)
  write(title, 50, 64, 34, 'text', W - 320)
  pen.textAlign = 'right'
  write(roundWords(rounds[Math.round(at)] ?? 1), W - 50, 64, 34, 'window', 250)
  pen.textAlign = 'left'
  write(chart.title, 50, 104, 22, 'soft', W - 100)
  const most = Math.max(1, ...chart.lines.flatMap((line) => line.map((value) => value ?? 0)))
  const values = chart.lines.map((line) => between(line, at))
  const row = (H - 150) / names.length
  for (const [seat, name] of names.entries()) {
    const y = 130 + row * seat
    pen.save()
    pen.translate(66, y + row / 2)
    pen.fillStyle = ink(`player-${seat % 6}`)
    pen.fill(new Path2D(shape(seat, 14)))
    pen.restore()
    write(name, 94, y + row / 2 + 8, 22, 'text', 190)
    pen.fillStyle = ink(`player-${seat % 6}`)
    pen.fillRect(300, y + row * 0.2, Math.max(2, ((W - 400) * values[seat]!) / most), row * 0.6)
    write(String(Math.round(values[seat]!)), 312 + ((W - 400) * values[seat]!) / most, y + row / 2 + 9, 26, 'text', 80)
  }
}

/** The film, once it has been played through. */
export async function makeFilm(script: Script): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = W
  canvas.height = H
  const pen = canvas.getContext('2d')!
  await document.fonts.ready
  drawFrame(pen, script, 0)
  const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: TYPE })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const ended = new Promise((done) => (recorder.onstop = done))
  recorder.start()
  const last = script.rounds.length - 1
  const began = performance.now()
  for (;;) {
    const passed = performance.now() - began
    drawFrame(pen, script, Math.min(last, passed / STEP))
    if (passed > last * STEP + REST) break
    await new Promise((next) => setTimeout(next, 1000 / RATE))
  }
  recorder.stop()
  await ended
  return new Blob(parts, { type: TYPE })
}
