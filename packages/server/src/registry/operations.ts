/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { getBlob } from './blob/get.js'
import { receiveEvents } from './event/receive.js'
import { collectImages } from './image/collect.js'
import { copyImage } from './image/copy.js'
import { deleteImages } from './image/delete.js'
import { listImages } from './image/list.js'
import { deleteManifest } from './manifest/delete.js'
import { getManifest } from './manifest/get.js'
import { getStorage } from './storage/get.js'
import { listTags } from './tag/list.js'
import { getToken } from './token/get.js'

export const registryOperations: readonly Operation[] = [
  getToken,
  receiveEvents,
  listImages,
  copyImage,
  deleteImages,
  listTags,
  getManifest,
  deleteManifest,
  getBlob,
  getStorage,
  collectImages,
]
