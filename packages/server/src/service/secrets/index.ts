export { deleteSecret } from './delete-secret.js'
export { loadSecret, readSecret, secretNamePattern, usualSecretName } from './load-secret.js'
export { putSecret, type StoredSecret } from './put-secret.js'
export { type Rotation, rotateSecret } from './rotate-secret.js'
