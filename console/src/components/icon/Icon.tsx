import { ICONS, type IconName } from './icons.tsx';

/** Meaning of the colour. A word beside the icon always says the same. */
export type Meaning = 'good' | 'run' | 'attention' | 'bad' | 'locked' | 'idle';

interface IconProps {
  readonly name: IconName;
  readonly is?: Meaning;
  readonly className?: string;
}

/** Decorative icon beside a word with the same meaning. */
export function Icon({ name, is, className = '' }: IconProps) {
  return (
    <svg className={`i ${is ? `is-${is}` : ''} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {ICONS[name]}
    </svg>
  );
}
