import { memoryStorage } from './memory-storage.js'
import { describeStorage } from './storage-conformance.js'

describeStorage('memoryStorage', () => {
  const storage = memoryStorage()
  return { storage, next: () => storage }
})
