// Runs in the documentation page, before the package's script. That one gives the page's nonce to the first of its style elements
// alone, and writes style attributes as text: the policy refuses both. Here every style element gets the nonce, and style attributes are
// set by the browser's own interface for them, which the policy allows.

const nonce = document.querySelector('meta[property=csp-nonce]').content

const createElement = document.createElement.bind(document)
document.createElement = (name, ...more) => {
  const element = createElement(name, ...more)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}

const setAttribute = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute').value
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style') this.style.cssText = value
  else setAttribute.call(this, name, value)
}

const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...innerHTML,
  set(text) {
    innerHTML.set.call(this, String(text).replaceAll(' style="', ' data-style="'))
    const within = this instanceof HTMLTemplateElement ? this.content : this
    for (const element of within.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style
  },
})
