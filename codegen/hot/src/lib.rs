//! `#[hot]` marks a function that is compiled once per CPU target.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// `#[hot] fn f() {..}` becomes `isa_fn! { fn f() {..} }`; the enclosing copy (see `core/mod.rs`) defines `isa_fn!`
/// so that it adds that copy's `#[target_feature]`.
#[proc_macro_attribute]
pub fn hot(_: TokenStream, item: TokenStream) -> TokenStream {
    TokenStream::from_iter([
        TokenTree::Ident(Ident::new("isa_fn", Span::call_site())),
        TokenTree::Punct(Punct::new('!', Spacing::Alone)),
        TokenTree::Group(Group::new(Delimiter::Brace, item)),
    ])
}
