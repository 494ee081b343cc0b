import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import { useFault } from './faults.ts';
import styles from './form.module.css';

interface Labelled {
  readonly label: string;
  /** Help text below the field, one sentence. */
  readonly help?: ReactNode;
  /** Attribute that the field sets; the server's messages about it appear at the field. */
  readonly name?: string;
  /** Reason why the field is disabled. */
  readonly off?: string | false | undefined;
}

/** Connects a control with its help text and error message. */
function useAround({ name, help, off }: Labelled) {
  const id = useId();
  const fault = useFault(name);
  const said = [fault && `${id}-fault`, (help || off) && `${id}-help`].filter(Boolean).join(' ');
  const control = {
    id,
    ...(name && { name }),
    ...(said && { 'aria-describedby': said }),
    ...(fault && { 'aria-invalid': true }),
  };
  const after = (
    <>
      {fault && (
        <small id={`${id}-fault`} className={styles.wrong}>
          {fault}
        </small>
      )}
      {(help || off) && <small id={`${id}-help`}>{off || help}</small>}
    </>
  );
  return { id, control, after };
}

interface FieldProps
  extends Labelled,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'name' | 'disabled'> {
  readonly large?: boolean;
  /** Values that the browser offers while the user types. */
  readonly suggestions?: readonly string[];
  readonly onText: (text: string) => void;
}

/** Text field with label, help and error message. */
export function Field({ label, help, name, off, large = false, suggestions, onText, ...input }: FieldProps) {
  const { id, control, after } = useAround({ label, help, ...(name && { name }), off });
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        {...control}
        readOnly={input.readOnly || Boolean(off)}
        className={`${styles.input} ${large ? styles.large : ''}`}
        {...(suggestions && { list: `${id}-list` })}
        onChange={(event) => onText(event.target.value)}
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {after}
    </div>
  );
}

interface AreaProps
  extends Labelled,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'onChange' | 'name' | 'disabled'> {
  /** Whether the value is code: a certificate or a token. */
  readonly isCode?: boolean;
  readonly onText: (text: string) => void;
}

/** Field for several lines of text. */
export function Area({ label, help, name, off, isCode = false, onText, ...area }: AreaProps) {
  const { id, control, after } = useAround({ label, help, ...(name && { name }), off });
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={4}
        {...(isCode && { spellCheck: false, autoComplete: 'off' })}
        {...area}
        {...control}
        readOnly={area.readOnly || Boolean(off)}
        className={`${styles.input} ${styles.area} ${isCode ? 'mono' : ''}`}
        onChange={(event) => onText(event.target.value)}
      />
      {after}
    </div>
  );
}

interface SelectProps extends Labelled {
  readonly value: string;
  /** Options of the selection, each with value and label. */
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Hides the label visually, where the context explains the field. Screen readers still read it. */
  readonly hideLabel?: boolean;
  readonly onText: (value: string) => void;
}

/** Selection of one option. */
export function Select({ label, help, name, off, value, options, hideLabel = false, onText }: SelectProps) {
  const { id, control, after } = useAround({ label, help, ...(name && { name }), off });
  return (
    <div className={styles.field}>
      <label htmlFor={id} {...(hideLabel && { className: 'sr' })}>
        {label}
      </label>
      <select
        {...control}
        className={`${styles.input} ${styles.select}`}
        value={value}
        disabled={Boolean(off)}
        onChange={(event) => onText(event.target.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {after}
    </div>
  );
}

interface CheckProps extends Labelled {
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
}

/** Checkbox with a label and a help text. */
export function Check({ label, help, name, off, checked, onCheck }: CheckProps) {
  const { id, control, after } = useAround({ label, help, ...(name && { name }), off });
  return (
    <div className={`${styles.field} ${styles.check}`}>
      <input
        {...control}
        type="checkbox"
        checked={checked}
        disabled={Boolean(off)}
        onChange={(event) => onCheck(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {after}
      </div>
    </div>
  );
}

/** Group of related fields. */
export function FieldGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}
