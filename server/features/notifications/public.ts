// What other features may use of notifications.
export { notify, notifyEach, notifyOn, markSourceRead, type News } from '#server/features/notifications/notify.ts'
