import { useSearch } from '@tanstack/react-router'

/** The query string as text, letter for letter: a token of digits must not become a number. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: object): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined) as [string, string][]
  const text = new URLSearchParams(given).toString()
  return text && `?${text}`
}

export const useSearchText = (name: string): string | undefined => (useSearch({ strict: false }) as Record<string, string>)[name]
