// What the Pack Types tab asks the server: every pack type, its picture, and what staff do to them.

import { type AdminPackType, adminPackTypesContract, type PackTypeImage } from '@redpack/contract'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import { call, load, urlOf } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { shrinkImage } from '../../lib/image-file.ts'
import { useIsStaff } from '../session/queries.ts'

/** Stands in every dropdown of pack types when there is none. */
export const noPackTypes = 'No pack types found'

/** Staff may give two pack types one name; where they are chosen by it, their ids are added. */
function toldApart(packTypes: readonly AdminPackType[]): AdminPackType[] {
  return packTypes.map((type) => {
    const hasNamesake = packTypes.some(({ id, name }) => name === type.name && id !== type.id)
    return hasNamesake ? { ...type, name: `${type.name} (#${type.id})` } : type
  })
}

/** Every pack type under a name of its own: what can be given, and a column of the users. */
export const useNamedPackTypes = () => useAdminPackTypes(toldApart)

/** Every pack type as staff see it, without image bytes. */
export function useAdminPackTypes(select?: typeof toldApart) {
  return useEndpoint(adminPackTypesContract.list, {
    shows: ['catalogue', 'pack_types'],
    empty: [],
    select,
    enabled: useIsStaff(),
  })
}

// When the picture of a pack type was last saved here, in milliseconds by id. It lives as long as
// the page, as do the pictures that the browser has kept.
const savedAt = createAtom<ReadonlyMap<number, number>>(new Map())

/** Has the picture of a pack type asked for anew: it may be another since this saving. */
export function noteSaved(id: number): void {
  savedAt.set((before) => new Map(before).set(id, Date.now()))
}

/** The address with a query that no kept picture has, once the picture may be another. */
function freshAddress(url: string, version: number | undefined): string {
  if (version === undefined) return url
  return `${url}${url.includes('?') ? '&' : '?'}t=${version}`
}

const noImage: PackTypeImage = { imageUrl: null, imageData: null, imageType: null }

/** The picture of a pack type, if any: its address, or the stored bytes, which are asked for. */
export function usePackTypeImage(
  packType: Pick<AdminPackType, 'id' | 'imageUrl' | 'hasImage'> | null | undefined,
): PackTypeImage {
  const { id, imageUrl, hasImage } = packType ?? { ...noImage, id: 0, hasImage: false }
  const version = useSelector(savedAt, (times) => times.get(id))
  const { data } = useEndpoint(adminPackTypesContract.image, {
    shows: [],
    key: [id, version],
    ask: (signal) =>
      load<PackTypeImage>(urlOf(adminPackTypesContract.image.path, { id }, { t: version }), signal),
    enabled: hasImage && imageUrl === null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (imageUrl !== null) return { ...noImage, imageUrl: freshAddress(imageUrl, version) }
  return (hasImage && data) || noImage
}

const uploadKey = ['upload-image'] as const

/** Stores a picture; the answer is the address under which it is served. */
export function useUploadImage() {
  return useMutation({
    mutationKey: uploadKey,
    mutationFn: async (file: File) => {
      const body = new FormData()
      body.set('image', await shrinkImage(file))
      return call(adminPackTypesContract.upload, { body })
    },
  })
}

/** True while a picture is on its way: what is saved now would be without it. */
export function useIsUploading(): boolean {
  return useIsMutating({ mutationKey: uploadKey }) > 0
}
