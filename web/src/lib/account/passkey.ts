import type { PasskeyAnswer, PasskeyOptions } from '../net/protocol'

/** Whether a browser can have passkeys for this site: they belong to a domain, not to an address. */
export const hasPasskeys = () => typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|^\[/.test(location.hostname)

/** The person has closed the browser's dialog, or there was nothing to choose. */
export class NoPasskey extends Error {}

type Json = Record<string, unknown>
type Known = { id: string }

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

function text(buffer: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const known = (list: unknown) => ((list ?? []) as Known[]).map((each) => ({ ...each, id: bytes(each.id) }))

function answer(challenge: string, found: Credential | null, parts: string[]): PasskeyAnswer {
  if (!found) throw new NoPasskey()
  const { response, rawId } = found as PublicKeyCredential
  const held = response as unknown as Record<string, ArrayBuffer | null>
  const sent = parts.flatMap((part) => (held[part] ? [[part, text(held[part])]] : []))
  const credential = { id: found.id, rawId: text(rawId), type: found.type, response: Object.fromEntries(sent) }
  return { challenge, credential }
}

async function ask(asked: () => Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asked()
  } catch {
    throw new NoPasskey()
  }
}

/** Lets the browser make a passkey. */
export async function createPasskey({ challenge, options }: PasskeyOptions): Promise<PasskeyAnswer> {
  const { user, ...rest } = options as { user: Json & Known } & Json
  const publicKey = {
    ...rest,
    challenge: bytes(options.challenge as string),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: known(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions
  const made = await ask(() => navigator.credentials.create({ publicKey }))
  return answer(challenge, made, ['clientDataJSON', 'attestationObject'])
}

/** Lets the browser prove one of its passkeys. */
export async function usePasskey({ challenge, options }: PasskeyOptions): Promise<PasskeyAnswer> {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge as string),
    allowCredentials: known(options.allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions
  const found = await ask(() => navigator.credentials.get({ publicKey }))
  return answer(challenge, found, ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'])
}
