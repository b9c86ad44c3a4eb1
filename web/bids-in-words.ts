export function bidsInWords(count: number): string {
  if (count === 0) return 'No bids yet'
  return count === 1 ? '1 bid' : `${count} bids`
}
