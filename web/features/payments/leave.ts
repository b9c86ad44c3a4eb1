/** Goes to a page of the provider. Whoever comes back with the browser's own button finds the page as it was left: `onBack`. */
export function leaveFor(url: string, onBack: () => void): void {
  window.addEventListener('pageshow', (event) => event.persisted && onBack(), { once: true })
  location.assign(url)
}
