export { DueHeap, type DueHeapOptions } from './due-heap.js'
