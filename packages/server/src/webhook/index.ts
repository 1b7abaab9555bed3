/** Standard Webhooks, for senders and receivers: `@kron/server/webhook`. */
export { createWebhookSecret, sign, type WebhookHeaders, webhookHeaders } from './sign.js'
export {
  type ReceivedHeaders,
  type Verification,
  type VerificationCode,
  type VerifyOptions,
  verificationCodes,
  verify,
} from './verify.js'
