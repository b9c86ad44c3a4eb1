/** Calls when an element comes within so many pixels of the window; answers how to stop. */
export function watchNear(element: Element, { margin, onNear }: { margin: number; onNear: () => void }): () => void {
  // a busy browser tells of several changes at once, the oldest first
  const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && onNear(), { rootMargin: `${margin}px` })
  observer.observe(element)
  return () => observer.disconnect()
}
