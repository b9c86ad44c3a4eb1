import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Message } from '#contract/people/messages.ts'
import type { MediaItem } from '#contract/storage.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { askUntilAnswered } from '#web/sending/ask-until-answered.ts'
import { readDraft, saveDraft } from '#web/sending/draft.ts'
import { newId } from '#web/sending/new-id.ts'

/** A message on its way: sent under one key until it is answered, so that it never arrives twice. */
export type Outgoing = {
  key: string
  body: string
  photos: MediaItem[]
  /** Why it was not sent; null while it is on its way. */
  problem: string | null
}

type Sent = { body: string; storage_object_ids: string[] }

type Options = {
  /** Names the conversation and whose it is: what was not sent yet is kept under it over a reload. */
  name: string
  send: (sent: Sent, idempotencyKey: string) => Promise<Message>
  onSent: (message: Message) => void
}

/** Messages go one after the other, in the order in which they were written. One that failed waits to be tried again or deleted. */
export function useOutgoing({ name, send, onSent }: Options) {
  const kept = `${name} outgoing`
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>(() => readDraft<{ list: Outgoing[] }>(kept, { list: [] }).list)
  const latest = useRef(outgoing)
  const isSending = useRef(false)

  const change = (next: readonly Outgoing[]) => {
    latest.current = next
    setOutgoing(next)
    saveDraft(kept, { list: next })
  }
  const replace = (key: string, changes: Partial<Outgoing>) =>
    change(latest.current.map((each) => (each.key === key ? { ...each, ...changes } : each)))
  const drop = (key: string) => change(latest.current.filter((each) => each.key !== key))

  const sendNext = async () => {
    const next = latest.current.find(({ problem }) => problem === null)
    if (!next || isSending.current) return
    isSending.current = true
    const { key, body, photos } = next
    const sent = { body, storage_object_ids: photos.map(({ storage_object_id }) => storage_object_id) }
    try {
      const message = await askUntilAnswered({ ask: () => send(sent, key) })
      drop(key)
      onSent(message)
    } catch (error) {
      // a refusal is answered the same under the same key: the next try is a new one
      const canRetry = error instanceof ApiError && error.canRetry
      replace(key, { problem: messageOf(error), ...(!canRetry && { key: newId() }) })
    } finally {
      isSending.current = false
    }
    void sendNext()
  }

  const retryAll = () => {
    change(latest.current.map((each) => ({ ...each, problem: null })))
    void sendNext()
  }
  const resume = useEffectEvent(retryAll)
  // what a reload or a lost connection interrupted goes on by itself
  useEffect(() => {
    if (latest.current.length > 0) resume()
    const again = () => resume()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])

  return {
    outgoing,
    add: (body: string, photos: MediaItem[]) => {
      change([...latest.current, { key: newId(), body, photos, problem: null }])
      void sendNext()
    },
    retry: (key: string) => {
      replace(key, { problem: null })
      void sendNext()
    },
    drop,
  }
}
