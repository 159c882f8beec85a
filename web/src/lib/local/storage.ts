/** Games in IndexedDB: texts by key, written in whole transactions. */
import type { Keeping } from './messages'

export type Change = [key: string, text: string | null]

export interface Storage {
  keeping: Keeping
  load(): Promise<[string, string][]>
  write(batch: Change[]): Promise<void>
}

const STORE = 'texts'
/** Who may write: the worker that opened the database last. */
const WRITER = '.writer'

/** Another tab has taken over, where browsers give tabs no way to agree on one. */
class Superseded extends Error {
  override name = 'Superseded'
}

/** The storage of this browser, or one in memory if the browser refuses to store anything. */
export async function openStorage(name: string, writer: string): Promise<Storage> {
  try {
    const database = await open(name)
    return stored(database, await becomeWriter(database, writer))
  } catch {
    return { keeping: 'memory', load: async () => [], write: async () => undefined }
  }
}

/** The name by which this worker may write: none where there is no room even for that. */
async function becomeWriter(database: IDBDatabase, writer: string): Promise<string | undefined> {
  try {
    await transact(database, (texts) => texts.put(writer, WRITER))
    return writer
  } catch (error) {
    if ((error as Error).name !== 'QuotaExceededError') throw error
    await transact(database, (texts) => texts.delete(WRITER)) // games can still be read and deleted
    return undefined
  }
}

function open(name: string): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
    request.onblocked = () => fail(new Error('blocked'))
  })
}

/** Resolves when everything is on the disk; rejects when nothing of it is. */
function transact(database: IDBDatabase, work: (texts: IDBObjectStore, fail: (why: Error) => void) => void) {
  return new Promise<void>((done, fail) => {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
    let why: Error | null = null
    transaction.oncomplete = () => done()
    transaction.onabort = () => fail(why ?? transaction.error ?? new Error('aborted'))
    work(transaction.objectStore(STORE), (reason) => {
      why = reason
      transaction.abort()
    })
  })
}

const stored = (database: IDBDatabase, writer: string | undefined): Storage => ({
  keeping: 'stored',
  load: () =>
    new Promise((done, fail) => {
      const found: [string, string][] = []
      const request = database.transaction(STORE).objectStore(STORE).openCursor()
      request.onerror = () => fail(request.error)
      request.onsuccess = () => {
        const cursor = request.result
        if (!cursor) return done(found)
        if (cursor.key !== WRITER) found.push([cursor.key as string, cursor.value as string])
        cursor.continue()
      }
    }),
  write: (batch) =>
    transact(database, (texts, fail) => {
      const last = texts.get(WRITER)
      last.onsuccess = () => {
        if (last.result !== writer) return fail(new Superseded('Another tab goes on with the games.'))
        for (const [key, text] of batch) {
          if (text === null) texts.delete(key)
          else texts.put(text, key)
        }
      }
    }),
})
