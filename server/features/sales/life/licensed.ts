/** SQL: whether this user's scrap metal licence is valid now. */
export const licensed = (user: string) =>
  `coalesce(${user}.licence_status = 'approved' and (${user}.licence_expires_at is null or ${user}.licence_expires_at > app_now()), false)`
