// A field for a token: dots, until somebody asks to see it for ten seconds.

import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField, type TextFieldProps } from '../../ui/text-field.tsx'

const shownMs = 10_000

export interface SecretFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'label'> {
  readonly label: string
}

export function SecretField(props: SecretFieldProps) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(false), shownMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete="off"
      spellCheck={false}
      end={
        <IconButton
          label={`${isShown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        </IconButton>
      }
    />
  )
}
