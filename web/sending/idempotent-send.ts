import { useRef } from 'react'
import { newId } from '#web/sending/new-id.ts'
import { ApiError } from '#web/api/api-error.ts'
import { askUntilAnswered } from '#web/sending/ask-until-answered.ts'

type Attempt = { of: string; key: string }

type Options = {
  /** False: the caller tells at once that there was no answer, and the user decides. */
  asksAgain?: boolean
}

/** One key per attempt, kept until it is answered: what got no answer is asked for again, and never done twice (API.md). */
export function useIdempotentSend({ asksAgain = true }: Options = {}) {
  const attempt = useRef<Attempt>(null)
  return async <T>(sent: unknown, send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const of = JSON.stringify(sent)
    const { key } = (attempt.current = attempt.current?.of === of ? attempt.current : { of, key: newId() })
    try {
      const answer = await (asksAgain ? askUntilAnswered({ ask: () => send(key) }) : send(key))
      attempt.current = null
      return answer
    } catch (error) {
      if (!(error instanceof ApiError && error.canRetry)) attempt.current = null
      throw error
    }
  }
}
