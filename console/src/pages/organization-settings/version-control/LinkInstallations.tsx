import { Button } from '../../../components/button/Button.tsx';
import * as texts from './texts.ts';

/** Leads to GitHub, where a user proves which installations of the App the user may use. */
export function LinkInstallations({ organization }: { readonly organization: string }) {
  return (
    <form method="post" action="/auth/github-app/sign-in">
      <input type="hidden" name="organization_id" value={organization} />
      <Button type="submit">{texts.linkInstallations}</Button>
    </form>
  );
}
