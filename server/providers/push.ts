import { encryptPush, vapidHeader, type PushKeys, type VapidKeys } from '#server/providers/push-encryption.ts'

export type PushMessage = { text: string; topic: string; isUrgent: boolean; keptForSeconds: number }
export type PushTarget = PushKeys & { endpoint: string }

/** `gone`: the browser has unsubscribed, and is never written to again. */
export type PushOutcome = 'sent' | 'gone'

export type PushSender = { publicKey: string | null; send(target: PushTarget, message: PushMessage): Promise<PushOutcome> }

const WITHIN_MS = 10_000

export function webPush(keys: VapidKeys): PushSender {
  return {
    publicKey: keys.publicKey,
    async send(target, { text, topic, isUrgent, keptForSeconds }) {
      const answer = await fetch(target.endpoint, {
        method: 'POST',
        // a push service answers itself: nothing is sent on to an address that we do not know
        redirect: 'manual',
        signal: AbortSignal.timeout(WITHIN_MS),
        headers: {
          authorization: vapidHeader(keys, target.endpoint, new Date()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(keptForSeconds),
          urgency: isUrgent ? 'high' : 'normal',
          // one that is not delivered yet is replaced by the same one sent again
          topic,
        },
        body: new Uint8Array(encryptPush(text, target)),
      })
      await answer.body?.cancel()
      if (answer.status === 404 || answer.status === 410) return 'gone'
      if (!answer.ok) throw new Error(`the push service answered ${answer.status}`)
      return 'sent'
    },
  }
}

/** Without keys: browsers are not asked to subscribe, and nothing is due. */
export const noPush: PushSender = { publicKey: null, send: () => Promise.resolve('gone') }
