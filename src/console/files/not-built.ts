/** Page that is served instead of the console if the sources have no build of it. */
export const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>The console is not built · Lockkeeper</title>
<h1>The console is not built</h1>
<p>Both APIs work. To use the console, run <code>npm run build:console</code> in the source folder and restart the server.</p>
</html>
`;
