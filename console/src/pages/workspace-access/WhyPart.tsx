import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button/Button.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Section } from '../../components/section/Section.tsx';
import { type About, Why } from '../../components/why/Why.tsx';
import styles from './access.module.css';
import * as texts from './texts.ts';

interface WhyPartProps {
  readonly organization: string;
  readonly workspace: string;
  readonly id: string;
  readonly about: About;
  /** Whether the user has permission to ask about other users. */
  readonly mayAsk: boolean;
}

/** Explains the access of the user, or of the user or team in the URL. */
export function WhyPart({ organization, workspace, id, about, mayAsk }: WhyPartProps) {
  const [name, setName] = useState(about.user ?? '');
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/access' });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ search: name.trim() === '' ? {} : { user: name.trim() } });
  };
  const isOwn = about.user === undefined && about.team === undefined;
  return (
    <Section title={isOwn ? texts.whyDoYouHave : texts.why}>
      {mayAsk && (
        <form className={styles.ask} onSubmit={ask}>
          <Field
            label={texts.username}
            value={name}
            onText={setName}
            autoComplete="off"
            spellCheck={false}
            placeholder="ada"
          />
          <Button type="submit">{texts.explain}</Button>
          {!isOwn && (
            <Link
              to="/$organization/workspaces/$workspace/access"
              params={{ organization, workspace }}
              className="link"
            >
              {texts.showMyOwnAccess}
            </Link>
          )}
        </form>
      )}
      <Why organization={organization} workspace={id} about={about} />
    </Section>
  );
}
