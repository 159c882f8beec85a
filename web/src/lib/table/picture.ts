/** The result as a picture, to be shared with friends. */
import { seededRandom } from '../ui/random'
import { saveFile } from '../ui/save'
import { shape } from '../ui/shapes'

export interface Poster {
  game: string
  /** Who won, and how it was decided. */
  title: string
  verdict: string
  rows: { seat: number; place: number; name: string; scores: string }[]
}

const W = 1200
const H = 630
const FONT = "'Inter', system-ui, sans-serif"

export async function drawPicture({ game, title, verdict, rows }: Poster): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = W
  canvas.height = H
  const pen = canvas.getContext('2d')!
  const style = getComputedStyle(document.documentElement)
  const ink = (name: string) => style.getPropertyValue(`--${name}`).trim()
  await document.fonts.ready

  const write = (text: string, x: number, y: number, size: number, weight: number, fill: string, room = W) => {
    pen.font = `${weight} ${size}px ${FONT}`
    pen.fillStyle = ink(fill)
    pen.fillText(text, x, y, room)
  }
  const mark = (seat: number, x: number, y: number, r: number) => {
    pen.save()
    pen.translate(x, y)
    pen.fillStyle = ink(`player-${seat % 6}`)
    pen.fill(new Path2D(shape(seat, r)))
    pen.restore()
  }

  const sky = pen.createLinearGradient(0, 0, W, H)
  sky.addColorStop(0, ink('raised'))
  sky.addColorStop(1, ink('page'))
  pen.fillStyle = sky
  pen.fillRect(0, 0, W, H)
  pen.fillStyle = ink('window')
  pen.fillRect(0, 0, 14, H)

  // A town below, some of its windows lit.
  const chance = seededRandom(rows.length + 7)
  for (let x = 14; x < W; x += 46) {
    const height = 40 + Math.round(chance() * 5) * 22
    pen.globalAlpha = 0.5
    pen.fillStyle = ink('land')
    pen.fillRect(x, H - height, 42, height)
    pen.fillStyle = ink('window')
    for (let y = H - height + 10; y < H - 12; y += 22)
      for (const dx of [8, 24]) if (chance() < 0.35) pen.fillRect(x + dx, y, 10, 12)
  }
  pen.globalAlpha = 1

  write(`High Voltage · ${game}`, 70, 78, 28, 600, 'soft', W - 140)
  const winners = rows.filter(({ place }) => place === 1)
  for (const [i, { seat }] of winners.entries()) mark(seat, 98 + i * 68, 160, 30)
  write(title, 76 + winners.length * 68, 182, 64, 800, 'text', W - 146 - winners.length * 68)
  write(verdict, 70, 242, 28, 500, 'soft', W - 140)

  const step = Math.min(62, 340 / rows.length)
  for (const [i, { seat, place, name, scores }] of rows.entries()) {
    const y = 314 + i * step
    pen.textAlign = 'right'
    write(String(place), 100, y, 28, 700, 'faint')
    write(scores, W - 70, y, 28, 600, 'text', 560)
    pen.textAlign = 'left'
    mark(seat, 142, y - 10, 14)
    write(name, 176, y, 30, place === 1 ? 800 : 600, 'text', 380)
  }
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('This browser draws no pictures.'))), 'image/png'),
  )
}

/** Shares a picture by the device's share function, or else saves it. */
export async function sendPicture(picture: Blob, name: string) {
  const files = [new File([picture], `${name}.png`, { type: 'image/png' })]
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files })) {
    await navigator.share({ files }).catch(() => undefined) // cancelling is not an error
    return
  }
  saveFile(`${name}.png`, picture)
}
