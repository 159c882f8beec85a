/** Whether the server that the page came from can be reached. */
import { isStatic } from '../ui/route.svelte'

const AGAIN = 5_000 // milliseconds between two questions
const DOUBT = 1_500 // a server that is restarted is back after this time
const GONE = [502, 503, 504] // what a proxy answers for a server that is not there

class Server {
  /** It does not answer: the page plays in this browser. */
  gone = $state(false)
  /** Nobody else can sit down: there is no server. */
  missing = $derived(isStatic || this.gone)

  /** Whether an answer is one of this server. */
  answered = (answer: Response) =>
    !GONE.includes(answer.status) || !!answer.headers.get('content-type')?.includes('json')

  /** A request has failed: is it the server, for longer than a moment? */
  async isGone(): Promise<boolean> {
    if (this.gone) return true
    await new Promise((go) => setTimeout(go, DOUBT))
    if (!(await this.#answers())) this.#watch()
    return this.gone
  }

  #watch() {
    if (this.gone) return
    this.gone = true
    const timer = setInterval(async () => {
      if (!(await this.#answers())) return
      clearInterval(timer)
      this.gone = false
    }, AGAIN)
  }

  async #answers(): Promise<boolean> {
    const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null)
    return !!answer && this.answered(answer)
  }
}

export const server = new Server()
