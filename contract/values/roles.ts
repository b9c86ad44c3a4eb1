/** Who runs the marketplace. `support` sees what `admin` sees, and moves no money and changes no settings. */
export const roles = ['support', 'admin'] as const

export type Role = (typeof roles)[number]
