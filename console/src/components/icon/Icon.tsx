import { ICONS, type IconName } from './icons.tsx';

/** What the colour says: never without a word beside it. */
export type Meaning = 'good' | 'run' | 'attention' | 'bad' | 'locked' | 'idle';

interface IconProps {
  readonly name: IconName;
  readonly is?: Meaning;
  readonly className?: string;
}

/** A sign beside a word that says the same. */
export function Icon({ name, is, className = '' }: IconProps) {
  return (
    <svg className={`i ${is ? `is-${is}` : ''} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {ICONS[name]}
    </svg>
  );
}
