// What a closed pack looks like on the stage: its picture, or a drawn foil pack with its icon.

import type { PackType } from '@redpack/contract'
import { useState } from 'react'
import { imageSource } from '../../lib/image-source.ts'
import { PackIcon } from './shared/pack-icon.tsx'

/** What is needed to draw a pack. */
export type PackLook = Pick<
  PackType,
  'name' | 'icon' | 'color' | 'imageUrl' | 'imageData' | 'imageType'
>

interface PackFaceProps {
  readonly pack: PackLook
}

export function PackFace({ pack }: PackFaceProps) {
  const [isBroken, setBroken] = useState(false)
  const source = imageSource(pack)
  if (source !== undefined && !isBroken) {
    return (
      <div className="pack-face">
        <img src={source} alt={pack.name} onError={() => setBroken(true)} />
      </div>
    )
  }
  return (
    <div className="pack-face pack-face-drawn">
      <PackIcon name={pack.icon} className="pack-face-icon" />
    </div>
  )
}
