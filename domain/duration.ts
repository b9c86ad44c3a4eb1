const units = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const

/** A duration setting such as '30d' as PostgreSQL says it: '30 days'. */
export function toInterval(duration: string): string {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(duration) ?? []
  if (!count || !unit) throw new Error(`'${duration}' is not a duration such as 5s, 30m, 24h or 14d`)
  return `${count} ${units[unit as keyof typeof units]}`
}

/** '5m' as '5 minutes', '1h' as '1 hour'. */
export const durationInWords = (duration: string): string => toInterval(duration).replace(/^(1 \w+)s$/, '$1')
