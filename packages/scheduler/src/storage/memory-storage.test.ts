import { describeStorage } from '../../testing/storage/storage-conformance.js'
import { memoryStorage } from './memory-storage.js'

describeStorage('memoryStorage', () => {
  const storage = memoryStorage()
  return { storage, next: () => storage }
})
