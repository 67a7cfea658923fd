// Where the picture of a card comes from.

export interface StoredImage {
  readonly imageUrl?: string | null
  /** Base64, or a whole data URL. */
  readonly imageData?: string | null
  /** For example `image/png`. */
  readonly imageType?: string | null
}

/** Address of a picture: the one that was given, else the stored bytes as a data URL, else none. */
export function imageSource({ imageUrl, imageData, imageType }: StoredImage): string | undefined {
  if (imageUrl) return imageUrl
  if (!imageData) return undefined
  return imageData.startsWith('data:')
    ? imageData
    : `data:${imageType || 'image/png'};base64,${imageData}`
}
