export { sign, type WebhookHeaders, webhookHeaders } from './sign.js'
export {
  type ReceivedHeaders,
  type Verification,
  type VerificationCode,
  type VerifyOptions,
  verificationCodes,
  verify,
} from './verify.js'
export { createWebhookSecret, webhookKey } from './webhook-secret.js'
