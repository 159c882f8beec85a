/** Loads Python with our package, from the cache of this version if it is there. */
import { loadPyodide, type PyodideInterface } from 'pyodide'
import { Deferred } from './deferred'
import type { Setup } from './messages'

export type Python = PyodideInterface
type Source = Pick<Setup, 'python' | 'wheel' | 'bytes' | 'cache'>

/** The share of the waiting that the files take; the rest is for Python to start. */
const FILES = 0.8

export async function loadPython(source: Source, onProgress: (loaded: number) => void): Promise<Python> {
  const failed = new Deferred<never>()
  const reading = reader(source, (arrived) => onProgress(FILES * arrived))
  const read = (address: RequestInfo | URL) => {
    const answer = reading(address instanceof Request ? address.url : String(address))
    answer.catch((error) => failed.reject(error)) // Pyodide would wait for ever
    return answer
  }
  const wheels = [`${source.python}msgspec.whl`, source.wheel].map(async (at) => (await read(at)).arrayBuffer())
  globalThis.fetch = read // for Pyodide's own files
  const python = await Promise.race([loadPyodide({ indexURL: source.python }), failed.promise])
  for (const wheel of await Promise.all(wheels)) python.unpackArchive(wheel, 'wheel')
  onProgress(FILES + 0.1)
  return python
}

/** Fetches files, keeps them in the cache, and reports which part of all bytes has arrived. */
function reader({ bytes, cache }: Source, onProgress: (arrived: number) => void) {
  const network = globalThis.fetch
  // Browsers have one on secure addresses only, and some refuse it where nothing is to be stored.
  const kept = 'caches' in globalThis ? caches.open(cache).catch(() => null) : null
  let arrived = 0

  return async (address: string): Promise<Response> => {
    const known = await (await kept)?.match(address)
    if (known) return known // as it is: the browser may have compiled it already
    const answer = await network(address)
    if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`)
    const copy = answer.clone()
    void kept?.then((into) => into?.put(address, copy)).catch(() => undefined) // it plays without a cache
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        arrived += chunk.byteLength
        onProgress(Math.min(1, arrived / bytes))
        controller.enqueue(chunk)
      },
    })
    const kind = address.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream'
    return new Response(answer.body.pipeThrough(counted), { headers: { 'content-type': kind } })
  }
}
