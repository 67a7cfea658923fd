// The dialog in which a picture is cropped: a frame of one ratio, by pointer or by keys.

import { useRef, useState } from 'react'
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from 'react-image-crop'
import 'react-image-crop/dist/ReactCrop.css'
import { cropImage, pictureAspect } from '../../lib/image-file.ts'
import { Notice } from '../feedback/state.tsx'
import { Button } from '../form/button.tsx'
import { Dialog, DialogActions } from '../overlay/dialog.tsx'

export interface CropPanelProps {
  /** Address or data URL of the whole picture, from this origin. */
  readonly src: string
  readonly onCrop: (file: File) => void
  readonly onClose: () => void
}

const broken = 'This picture cannot be cropped.'
/** Handles that a finger can take, in the colours of the page. */
const frame = {
  '--rc-drag-handle-size': '1.5rem',
  '--rc-drag-handle-mobile-size': '1.75rem',
  '--rc-border-color': 'var(--ink)',
  '--rc-focus-color': 'var(--ring)',
  display: 'block',
  width: 'fit-content',
  marginInline: 'auto',
  touchAction: 'none',
}
/** Smallest side of the frame on the screen, in pixels. */
const sideMin = 24

/** As much of the picture as the ratio allows, from its middle. */
function widest({ width, height }: HTMLImageElement): PercentCrop {
  const isWide = width / height > pictureAspect
  const whole = isWide
    ? ({ unit: '%', height: 100 } as const)
    : ({ unit: '%', width: 100 } as const)
  return centerCrop(makeAspectCrop(whole, pictureAspect, width, height), width, height)
}

export function CropPanel({ src, onCrop, onClose }: CropPanelProps) {
  const image = useRef<HTMLImageElement>(null)
  const [crop, setCrop] = useState<PercentCrop>()
  const [issue, setIssue] = useState<string>()
  const [isPending, setPending] = useState(false)
  const use = async () => {
    if (!image.current || !crop) return
    setPending(true)
    try {
      onCrop(await cropImage(image.current, crop))
      onClose()
    } catch {
      setIssue(broken)
      setPending(false)
    }
  }
  return (
    <Dialog
      onOpenChange={onClose}
      title="Crop the picture"
      description="The part inside the frame is kept. Arrow keys move the frame; on a corner they resize it."
    >
      <ReactCrop
        crop={crop}
        onChange={(_pixels, percent) => setCrop(percent)}
        aspect={pictureAspect}
        minWidth={sideMin}
        minHeight={sideMin}
        keepSelection
        className="ReactCrop--no-animate"
        style={frame}
      >
        <img
          ref={image}
          src={src}
          alt="Before cropping"
          style={{ maxHeight: '55vh' }}
          onLoad={(event) => setCrop(widest(event.currentTarget))}
          onError={() => setIssue(broken)}
        />
      </ReactCrop>
      {issue && (
        <Notice tone="danger" role="alert" className="mt-4">
          {issue}
        </Notice>
      )}
      <DialogActions>
        <Button tone="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => void use()} disabled={!crop} isPending={isPending}>
          Use this part
        </Button>
      </DialogActions>
    </Dialog>
  )
}
