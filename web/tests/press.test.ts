import { expect, it, vi } from 'vitest'
import { onActivationKeys } from '../src/lib/ui/press'

/** Whether a key presses, and whether the page keeps it from the browser. */
function hit(key: string, chosen?: boolean): [pressed: number, kept: number] {
  const press = vi.fn()
  const preventDefault = vi.fn()
  onActivationKeys(press, chosen)({ key, preventDefault } as unknown as KeyboardEvent)
  return [press.mock.calls.length, preventDefault.mock.calls.length]
}

it('presses by Enter and Space, and lets other keys go', () => {
  expect(['Enter', ' ', 'a', 'Tab'].map((key) => hit(key))).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
    [0, 0],
  ])
})

it('leaves Enter on what is chosen to the bar', () => {
  expect([hit('Enter', true), hit(' ', true), hit('Enter', false)]).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
  ])
})

it('does nothing where nothing can be pressed', () => {
  const preventDefault = vi.fn()
  onActivationKeys(undefined)({ key: 'Enter', preventDefault } as unknown as KeyboardEvent)
  expect(preventDefault).not.toHaveBeenCalled()
})
