// Plays a game with the buttons that the page offers, and nothing else, until it is over, a kind of
// decision in `stops` is due, or `most` decisions were made. It fails where nothing moves for
// `patience` milliseconds, and says what was on the screen. Runs in the page: sending every click
// through the browser's remote control would take longer than the game.
async ({ stops, seed, most, patience }) => {
  const soon = (ms = 0) => new Promise((go) => setTimeout(go, ms))
  const shown = (element) => element.getClientRects().length > 0
  const all = (what, within = document) => [...within.querySelectorAll(what)].filter(shown)
  const chance = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  const seen = new Set()
  const position = () => document.querySelector('.bar')?.dataset.seq
  let last = { at: performance.now(), seq: position() }

  function notTooLong(what) {
    const now = performance.now()
    if (position() !== last.seq) last = { at: now, seq: position() }
    else if (now - last.at > patience)
      throw Error(`${what} for ${patience} ms, at ${location} after ${last.seq}: ${document.body.innerText}`)
  }

  /** Until the page knows what the plan comes to. */
  async function settled() {
    do {
      await soon()
      notTooLong('no preview')
    } while (document.querySelector('.bar[data-previewing]'))
    await soon()
  }
  async function press(bar, what) {
    await settled()
    const button = bar.querySelector(what)
    if (!button) throw Error(`nothing to press: ${what} in ${bar.innerText}`)
    button.click()
    await soon()
  }
  const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }))

  const decide = {
    async nominate(bar) {
      const mine = all('.player.you :is(.chip, .card)').length
      if (mine >= 2 && bar.querySelector('[data-key=p]') && chance() < 0.6) return press(bar, '[data-key=p]')
      click(all('.card.offered').at(-1))
      await press(bar, '[data-primary]')
    },
    bid: (bar) => press(bar, chance() < 0.2 ? '[data-primary]' : '[data-key=p]'),
    scrap: (bar) => press(bar, '.moves button'),
    async fuel(bar) {
      for (const more of all('.fuel .more')) {
        for (let i = 0; i < 3 && chance() < 0.8 && !more.disabled; i++) {
          more.click()
          await settled()
        }
      }
      await press(bar, '[data-primary]')
      if (bar.querySelector('.doubt')) await press(bar, '[data-primary]')
    },
    async building(bar) {
      const nearest = bar.querySelector('.suggestion')
      if (!nearest) return press(bar, '[data-key=d]')
      nearest.click()
      await press(bar, '[data-primary]')
    },
    bureaucracy: (bar) => press(bar, '[data-primary]'),
    sell: (bar) => press(bar, '[data-primary]'),
    regions: (bar) => press(bar, '.moves button'),
    async cartel(bar) {
      click(document.querySelector('.city.offered'))
      await press(bar, '[data-primary]')
    },
  }
  decide.marks = decide.cartel

  // The card game
  decide.fuel_cards = async (bar) => {
    for (let i = 0; i < 4 && chance() < 0.8; i++) {
      const cards = all('.fuelcard.offered')
      if (!cards.length) break
      click(cards[Math.floor(chance() * cards.length)])
      await settled()
    }
    await press(bar, '[data-primary]')
    if (bar.querySelector('.doubt')) await press(bar, '[data-primary]')
  }
  decide.run = decide.bureaucracy

  // Outpost
  decide.nominate_card = decide.nominate_forced = decide.nominate
  decide.bid_card = decide.bid
  decide.company = async (bar) => {
    for (let i = 0; i < 5 && chance() < 0.9; i++) {
      await settled()
      const nearest = bar.querySelector('.suggestion')
      if (!nearest) break
      nearest.click()
    }
    await press(bar, '[data-key=d]')
  }
  decide.syndicate = decide.syndicate_slot = async (bar) => {
    click(document.querySelector('.planet .offered'))
    await press(bar, '[data-primary]')
  }

  // A game that the page does not know
  decide.plain = async (bar) => {
    const buttons = all('.moves .button', bar)
    buttons[Math.floor(chance() * buttons.length)].click()
    await soon()
  }

  let played = null
  let made = 0
  for (;;) {
    const bar = document.querySelector('.bar')
    const kind = bar?.dataset.asks
    if (bar?.querySelector('.bad')) throw Error(bar.querySelector('.bad').innerText)
    const isReady = kind === 'over' || bar?.querySelector('.moves > *')
    if (!kind || !isReady || bar.querySelector('.busy') || bar.dataset.seq === played) {
      await soon(3)
      notTooLong('no decision')
      continue
    }
    if (kind === 'over' || stops.includes(kind) || made++ === most) return { kind, seen: [...seen] }
    if (!decide[kind]) throw Error(`unknown kind of decision: ${kind}`)
    seen.add(kind)
    played = bar.dataset.seq
    await decide[kind](bar)
  }
}
