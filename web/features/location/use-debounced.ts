import { useEffect, useState } from 'react'

/** The value, once it has rested for a while. */
export function useDebounced<T>(value: T, restsMs: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restsMs)
    return () => clearTimeout(timer)
  }, [value, restsMs])
  return rested
}
