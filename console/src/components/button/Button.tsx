import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';

type Look = 'primary' | 'danger' | 'destroy' | 'quiet' | 'small' | 'square' | 'block';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> {
  readonly look?: Look | readonly Look[];
  /**
   * Reason why the button is disabled. The button stays in the tab order and gives the reason as its title; the page
   * also
   * shows the reason beside it.
   */
  readonly off?: string | false | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(look: Look | readonly Look[] = []): string {
  return [styles.btn, ...[look].flat().map((one) => styles[one])].join(' ');
}

export function Button({ look = [], off, onClick, children, ...rest }: ButtonProps) {
  const disabled = off ? { 'aria-disabled': true, title: off } : {};
  return (
    <button
      type="button"
      {...rest}
      {...disabled}
      className={buttonClass(look)}
      onClick={(event) => (off ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </button>
  );
}
