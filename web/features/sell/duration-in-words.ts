import { toInterval } from '#domain/duration.ts'

/** '5m' as '5 minutes', '1h' as '1 hour'. */
export const durationInWords = (duration: string): string => toInterval(duration).replace(/^(1 \w+)s$/, '$1')
