import { change, get, post, write } from '../net/api'
import type { MailChoice, MailInfo, Me, PasskeyAnswer, PasskeyOptions, Passkeys } from '../net/protocol'
import { createPasskey, usePasskey } from './passkey'

/** What shows that it is me: my password, or one of my passkeys. */
export type Proof = { password: string } | { passkey: PasskeyAnswer }

const options = (kind: 'create' | 'get', login: string | null = null) =>
  post<PasskeyOptions>('/passkeys/options', { kind, login })
const prove = async () => usePasskey(await options('get'))

export const accountApi = {
  mail: () => get<MailInfo>('/mail'),
  chooseMail: (choice: MailChoice) => change<MailInfo>('/mail', choice),
  endMail: () => change<MailInfo>('/mail/end'),
  confirmMail: (key: string) => write('POST', '/mail/confirm', { key }),
  endMailByKey: (key: string) => write('POST', `/mail/end/${encodeURIComponent(key)}`, {}),
  passkeys: () => get<Passkeys>('/passkeys'),
  /** By my password, or, where I have none, by a passkey that the browser asks for. */
  proof: async (password: string | null): Promise<Proof> =>
    password === null ? { passkey: await prove() } : { password },
  addPasskey: async (name: string, proof: Proof) =>
    post<Passkeys>('/passkeys', { name, answer: await createPasskey(await options('create')), ...proof }),
  passkeyAccount: async (login: string, name: string) =>
    post<Me>('/passkeys/account', { login, name, answer: await createPasskey(await options('create', login)) }),
  passkeyLogin: async () => post<Me>('/passkeys/login', await prove()),
  renamePasskey: (id: string, name: string) => post<Passkeys>('/passkeys/rename', { id, name }),
  removePasskey: (id: string) => post<Passkeys>('/passkeys/remove', { id }),
  changePassword: (fresh: string, proof: Proof) =>
    post<Me>('/password', 'password' in proof ? { old: proof.password, new: fresh } : { ...proof, new: fresh }),
  deleteAccount: (proof: Proof) => post<Me>('/account/delete', proof),
}
