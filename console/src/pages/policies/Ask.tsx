import { type FormEvent, type RefObject, useState } from 'react';
import { Button } from '../../components/button/Button.tsx';
import { Chips } from '../../components/chip/Chip.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import styles from './explain.module.css';
import { CAPABILITIES, capabilityOf, policiesOf, type Question } from './question.ts';
import * as texts from './texts.ts';

interface AskProps {
  readonly question: Question;
  readonly onChange: (change: { readonly [Key in keyof Question]: string | undefined }) => void;
  /**
   * The policy in the editor, which is always included. Without one, and without a subject, the current token is
   * checked.
   */
  readonly name?: string | undefined;
  readonly isDraft?: boolean;
  readonly form?: RefObject<HTMLFormElement | null>;
}

/** Form for the request to check: capability, path and subject. */
export function Ask({ question, onChange, name, isDraft = false, form }: AskProps) {
  const policies = policiesOf(question);
  const without = (gone: string) => policies.filter((one) => one !== gone).join(',') || undefined;
  return (
    <form ref={form} className={styles.part} onSubmit={(event) => event.preventDefault()}>
      <h2>{name === undefined ? texts.question : texts.request}</h2>
      <div className={styles.two}>
        <Select
          label={texts.capability}
          value={capabilityOf(question)}
          options={CAPABILITIES.map((one) => [one, one])}
          onText={(capability) => onChange({ capability })}
        />
        <Field
          label={texts.path}
          type="text"
          spellCheck={false}
          autoComplete="off"
          placeholder="auth/cert/certs/web"
          value={question.path ?? ''}
          onText={(path) => onChange({ path: path || undefined })}
        />
      </div>
      <div className={styles.whom}>
        <p aria-hidden="true">{texts.subject}</p>
        <Chips label={texts.subject}>
          {question.accessor ? (
            <Whom what={texts.token} value={question.accessor} onRemove={() => onChange({ accessor: undefined })} />
          ) : (
            <>
              {name !== undefined && <Whom what={texts.policy} value={isDraft ? texts.thisDraft(name) : name} />}
              {policies.map((policy) => (
                <Whom
                  key={policy}
                  what={texts.policy}
                  value={policy}
                  onRemove={() => onChange({ with: without(policy) })}
                />
              ))}
              {name === undefined && policies.length === 0 && <Whom what={texts.token} value={texts.yourOwn} />}
            </>
          )}
        </Chips>
        <Add
          onPolicy={(policy) => onChange({ accessor: undefined, with: [...new Set([...policies, policy])].join(',') })}
          onAccessor={(accessor) => onChange({ accessor, with: undefined })}
        />
      </div>
    </form>
  );
}

function Whom({ what, value, onRemove }: { what: string; value: string; onRemove?: () => void }) {
  return (
    <span className={styles.chip}>
      <span>
        {what} <b>{value}</b>
      </span>
      {onRemove && (
        <button type="button" aria-label={texts.remove(what, value)} onClick={onRemove}>
          <Icon name="x" />
        </button>
      )}
    </span>
  );
}

/** An accessor has 24 letters and digits; policy names rarely look like that. */
const ACCESSOR = /^[A-Za-z0-9]{24}$/;

function Add({ onPolicy, onAccessor }: { onPolicy: (name: string) => void; onAccessor: (text: string) => void }) {
  const [text, setText] = useState('');
  const add = (event: FormEvent | React.KeyboardEvent | React.MouseEvent) => {
    event.preventDefault();
    const given = text.trim();
    if (given === '') return;
    (ACCESSOR.test(given) ? onAccessor : onPolicy)(given);
    setText('');
  };
  return (
    <div className={styles.add}>
      <input
        aria-label={texts.policyNameOrTokenAccessor}
        placeholder={texts.policyNameOrTokenAccessor}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add(event);
        }}
      />
      <Button look="small" onClick={add} off={text.trim() === '' && texts.enterAPolicyName}>
        {texts.add}
      </Button>
    </div>
  );
}
