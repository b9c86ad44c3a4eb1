/** The id, wherever a field holds an id or the whole object. */
export const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id)
