import { frameSentences } from '#contract/values/frame-sentences.ts'

// SPEC §8 and §5: what the product says, to the letter.

export const sentences = {
  ...frameSentences,
  addressInvalid: 'Address is invalid',
  passwordUpdated: 'Successfully updated password',
  profileUpdated: 'Profile updated.',
  addressUpdated: 'Address updated.',
  success: 'Success',
  checkYourEmail: 'Please check your email.',
  confirmTitle: 'Are you sure?',
  documentsUpdated: 'Successfully updated documents',
  cardAdded: 'Card added successfully',
  notificationSettingsUpdated: 'Notification settings updated.',
  materialPreferencesUpdated: 'Material preferences updated.',
  subscriptionCancelled: 'Your subscription cancelled successful',
  subscriptionAlreadyCancelled: 'Your subscription is already cancelled',
  subscriptionNotCancelled: 'Unable to cancel subscription',
  subscriptionUpdated: 'Subscription updated successful',
  planNotChanged: 'Unable to change plan',
  subscriptionReactivated: 'Subscription reactivated',
  subscriptionNotReactivated: 'Unable to reactivate subscription',
  fileCount: (max: number) => `File upload needs at least one and up to ${max} files`,
} as const
