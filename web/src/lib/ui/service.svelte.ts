/** The service worker of the page: a start without a network, notifications, new versions. */
import { m } from '../../texts/messages'
import { once } from '../net/once'
import { folder, route } from './route.svelte'

const CHECK = 3_600_000 // milliseconds between two looks for a new version

/** Chromium asks whether to install a page, and lets the page choose the moment. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

class Service {
  /** A new version is here and waits. */
  updateReady = $state(false)
  #install = $state.raw<InstallPrompt | null>(null)
  canInstall = $derived(!!this.#install)
  #outdated = false

  constructor() {
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault()
      this.#install = event as InstallPrompt
    })
    addEventListener('appinstalled', () => (this.#install = null))
  }

  async install() {
    await this.#install?.prompt()
    this.#install = null
  }

  /** Registers the service worker; a browser has one on secure addresses only. */
  start = once(async (): Promise<void> => {
    if (!('serviceWorker' in navigator)) return
    const controlled = !!navigator.serviceWorker.controller
    const made = await navigator.serviceWorker.register(new URL('worker.js', folder))
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      this.#outdated = controlled
      this.takeUpdate()
    })
    const look = () => (this.updateReady = !!made.waiting && controlled)
    made.addEventListener('updatefound', () => made.installing?.addEventListener('statechange', look))
    look()
    setInterval(() => void made.update().catch(() => undefined), CHECK)
  })

  /** Replaces the page by a new version, once nobody sits at a table. */
  takeUpdate() {
    if (this.#outdated && !isAtTable()) location.reload()
  }

  /** Lets the new version take over; every tab then shows it as soon as it is at no table. */
  async update() {
    const made = await navigator.serviceWorker.getRegistration()
    made?.waiting?.postMessage('update')
  }

  /** Keeps all files of the page, with its engine, for a time without a network. */
  async keep() {
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage('keep')
  }
}

/** Where a new page would interrupt somebody. */
export const isAtTable = () => /^\/(table|puzzle|tutorial|new)(\/|$)/.test(route.path)

/** Leaves the words of a notification for the service worker, which may be alone when it comes to that. */
export async function leaveWords() {
  const cache = await caches.open(`highvoltage ${new URL(folder).pathname} words`)
  await cache.put(new URL('turn', folder), new Response(m.notify_turn()))
  await cache.put(new URL('invited', folder), new Response(m.invited({ name: '{name}' })))
  await cache.put(new URL('round', folder), new Response(m.round({ round: '{name}' })))
}

export const service = new Service()
