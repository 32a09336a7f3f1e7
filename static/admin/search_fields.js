/** Names the parts of Django's searchable fields after their labels; select2 leaves them without names. */
'use strict'
{
  const $ = django.jQuery
  const searchable = $.fn.djangoAdminSelect2

  const named = select => {
    const name = (select.labels[0]?.textContent ?? select.getAttribute('aria-label')).replace(/:\s*$/, '')
    const box = $(select).data('select2').$container.find('.select2-selection')
    const shown = box.find('.select2-selection__rendered')
    const tell = () => box.attr('aria-label', [name, select.selectedOptions[0]?.text].filter(Boolean).join(': '))
    box.removeAttr('aria-labelledby')  // it names the box after its own text, which is empty at first
    shown.removeAttr('role aria-readonly')
    tell()
    $(select).on('change', tell)
    $(select).on('select2:open', () => {
      box.attr('aria-controls', box.attr('aria-owns'))
      $('.select2-container--open :is(.select2-search__field, .select2-results__options)').attr('aria-label', name)
    })
    $(select).on('select2:close', () => box.removeAttr('aria-controls'))
  }

  $.fn.djangoAdminSelect2 = function () {
    this.attr('data-dropdown-parent', '#content')  // within the page's main part
    searchable.call(this)
    return this.each((_, select) => named(select))
  }
}
