// Follows the coach of a first game: presses only what it points at, and its own buttons.
// Nothing may cover what is to be pressed, nor what the coach speaks of. A dialog is closed: the coach waits for that.
// Ends at the step `last`, or after so many presses; returns the steps it has read.
async ({ last, most }) => {
  const soon = (ms = 0) => new Promise((go) => setTimeout(go, ms))
  const drawn = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go())))
  const read = []
  const spots = []

  const overlap = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1

  function look(coach, spoken) {
    const id = coach.querySelector('[data-step]').dataset.step
    if (read.at(-1) !== id) read.push(id)
    if (!spoken) return
    spots.push(spoken.className.baseVal ?? spoken.className)
    if (overlap(coach.getBoundingClientRect(), spoken.getBoundingClientRect()))
      throw Error(`${id}: the coach covers what it speaks of, ${spoken.outerHTML.slice(0, 120)}`)
  }
  function press(what) {
    const { left, top, width, height } = what.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    if (!hit || !(what.contains(hit) || hit.contains(what)))
      throw Error(`${read.at(-1)}: ${what.outerHTML.slice(0, 120)} lies under ${hit?.outerHTML.slice(0, 120)}`)
    const target = what.contains(hit) ? hit : what
    target.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  }

  let since = performance.now()
  for (let step = 0; step < most; ) {
    await drawn()
    if (performance.now() - since > 60_000)
      throw Error(`nothing to press after ${read.at(-1)}: ${document.querySelector('aside.coach')?.innerText}`)
    const coach = document.querySelector('aside.coach')
    const bar = document.querySelector('.bar')
    document.querySelector('dialog[open] header button')?.click()
    if (bar?.querySelector('.bad')) throw Error(bar.querySelector('.bad').innerText)
    if (!coach || coach.style.visibility === 'hidden' || bar?.dataset.previewing || bar?.querySelector('.busy')) {
      await soon(10)
      continue
    }
    const pointed = document.querySelector('[data-pointed]')
    const further = coach.querySelector('[data-lesson]')
    if (!further && !pointed) {
      await soon(10)
      continue
    }
    // A message from the server may arrive between two frames: wait until the page is stable.
    const shown = () =>
      [coach.innerText, JSON.stringify(coach.getBoundingClientRect()), bar.dataset.seq, pointed?.outerHTML].join()
    const before = shown()
    await drawn()
    const same = document.querySelector('[data-pointed]') === pointed && shown() === before
    const covered = document.querySelector('dialog[open]') // the result opens by itself
    if (!same || covered || !coach.isConnected || bar.dataset.previewing || bar.querySelector('.busy')) continue
    look(coach, pointed)
    step++
    since = performance.now()
    if (further?.dataset.lesson === last) {
      press(further)
      await drawn()
      return { read, spots }
    }
    press(further ?? pointed)
  }
  return { read, spots }
}
