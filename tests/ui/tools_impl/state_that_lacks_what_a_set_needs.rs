use tools_core::{Tools, tools};

struct Mailer;
struct Service;

#[tools(set = Mails)]
impl Service {
    /// Send a mail.
    #[tool]
    fn send_mail(&self, to: &str, #[inject] mailer: &Mailer) -> String {
        let _ = mailer;
        to.to_owned()
    }
}

fn main() {
    let _ = Tools::builder().tools(Mails::new(Service)).build();
}
