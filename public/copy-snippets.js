// A copy button for each snippet of /widgets, where the browser lets a page write to the clipboard.
for (const snippet of navigator.clipboard ? document.querySelectorAll('pre.snippet') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copiar';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(snippet.textContent.trim());
    button.textContent = 'Copiado';
    setTimeout(() => {
      button.textContent = 'Copiar';
    }, 2000);
  });
  snippet.before(button);
}
