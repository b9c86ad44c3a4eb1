import { useRef, useState } from 'react'

/** Work that runs one at a time, however often it is asked for; `isBusy` until it ends. Work that leaves the page stays busy. */
export function useOneAtATime() {
  const isUnderWay = useRef(false)
  const [isBusy, setIsBusy] = useState(false)

  const rest = () => {
    isUnderWay.current = false
    setIsBusy(false)
  }
  async function run(work: () => Promise<'left' | void>): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsBusy(true)
    let end: 'left' | void = undefined
    try {
      end = await work()
    } finally {
      if (end !== 'left') rest()
    }
  }
  return { isBusy, run, rest }
}
