// The push services of the browsers: whoever subscribes names an address, and we write to no other.
const hosts = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']
const domains = ['.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com']

/** https, the usual port, no credentials, at a known push service. */
export function isPushHost(endpoint: string): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return false
  return hosts.includes(url.hostname) || domains.some((domain) => url.hostname.endsWith(domain))
}
