// A person's browser as far as HTTP goes: it keeps cookies and echoes the CSRF token, and can be told not to.

export type Answer = { status: number; headers: Headers; cookies: string[]; body: any }
export type Ask = { body?: unknown; raw?: string | Buffer; headers?: Record<string, string>; csrf?: string | false }

export type Client = {
  cookies: Map<string, string>
  ask(method: string, path: string, options?: Ask): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
  logIn(email: string, password: string, headers?: Record<string, string>): Promise<Answer>
}

const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export function newClient(url: string, given: Record<string, string> = {}): Client {
  const cookies = new Map(Object.entries(given))

  function keep(setCookies: string[]) {
    for (const line of setCookies) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1)
      if (value === '' || /Max-Age=0/i.test(line)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), value)
    }
  }

  const client: Client = {
    cookies,
    async ask(method, path, { body, raw, headers = {}, csrf } = {}) {
      if (changes.has(method) && csrf === undefined && !cookies.has('XSRF-TOKEN')) await client.get('/sanctum/csrf-cookie')
      const token = csrf ?? cookies.get('XSRF-TOKEN')
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(changes.has(method) && token && { 'x-xsrf-token': token }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw !== undefined && { body: raw as string }),
      })
      const setCookies = response.headers.getSetCookie()
      keep(setCookies)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, headers: response.headers, cookies: setCookies, body: isJson && text ? JSON.parse(text) : text }
    },
    get: (path, headers) => client.ask('GET', path, { ...(headers && { headers }) }),
    post: (path, body, headers) => client.ask('POST', path, { ...(body !== undefined && { body }), ...(headers && { headers }) }),
    put: (path, body, headers) => client.ask('PUT', path, { body, ...(headers && { headers }) }),
    delete: (path) => client.ask('DELETE', path),
    logIn: (email, password, headers) =>
      client.post('/auth/login?isWebRequest=1', { email, password, device_name: 'web_app_device' }, headers),
  }
  return client
}
